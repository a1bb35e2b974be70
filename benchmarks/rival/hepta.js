// Hepta as one writes it for boardgame.io: the same rules as src/ludotheque/games/hepta.py, a series of legs included.

const { INVALID_MOVE } = require("boardgame.io/core");

const SIDE = 7;
const BLOCKERS = 7;
const PIECES = 7; // of each shape
const SHAPES = {
  I: placements([[[0, 0], [1, 0], [2, 0]], [[0, 0], [0, 1], [0, 2]]]),
  L: placements([
    [[0, 0], [0, 1], [1, 0]],
    [[0, 0], [0, 1], [1, 1]],
    [[0, 0], [1, 0], [1, 1]],
    [[0, 1], [1, 0], [1, 1]],
  ]),
};
const KNOWN = {
  I: new Set(SHAPES.I.map(String)),
  L: new Set(SHAPES.L.map(String)),
};

/** Every way to lay one of these shapes on the board, as sorted cells. */
function placements(shapes) {
  const found = [];
  for (const shape of shapes)
    for (let x = 0; x < SIDE; x++)
      for (let y = 0; y < SIDE; y++) {
        const cells = shape.map(([dx, dy]) => [x + dx, y + dy]);
        if (cells.every(([cx, cy]) => cx < SIDE && cy < SIDE))
          found.push(cells.map(([cx, cy]) => cx * SIDE + cy).sort((a, b) => a - b));
      }
  return found;
}

function fresh() {
  return { cells: Array(SIDE * SIDE).fill(null), blockers: BLOCKERS, left: { I: PIECES, L: PIECES }, shapes: null, turn: 0 };
}

const role = (G, player) => (Number(player) + G.leg) % 2;
const person = (G, seat) => (seat + G.leg) % 2;

function hasRoom(G, seat) {
  const shape = G.shapes[seat];
  return G.left[shape] > 0 && SHAPES[shape].some((cells) => cells.every((cell) => G.cells[cell] === null));
}

/** The turn to the other seat if it has room, else to the same again, else the leg is over. */
function passOn(G, seat) {
  if (hasRoom(G, 1 - seat)) G.turn = 1 - seat;
  else if (!hasRoom(G, seat)) endLeg(G);
}

function endLeg(G) {
  for (const seat of [0, 1]) G.points[person(G, seat)] += PIECES - G.left[G.shapes[seat]];
  if (G.leg + 1 === G.legs) G.over = true;
  else Object.assign(G, fresh(), { leg: G.leg + 1 });
}

const moves = {
  block({ G }, cell) {
    if (!G.blockers || G.cells[cell] !== null) return INVALID_MOVE;
    G.cells[cell] = "blocker";
    G.blockers -= 1;
    G.turn = G.blockers ? 0 : 1;
  },
  take({ G }, shape) {
    if (G.blockers || G.shapes || !(shape in SHAPES)) return INVALID_MOVE;
    G.shapes = shape === "I" ? ["L", "I"] : ["I", "L"];
    passOn(G, 0);
  },
  lay({ G, playerID }, cells) {
    const seat = role(G, playerID);
    const shape = G.shapes?.[seat];
    if (!shape || !G.left[shape] || !KNOWN[shape].has(String(cells))) return INVALID_MOVE;
    if (cells.some((cell) => G.cells[cell] !== null)) return INVALID_MOVE;
    for (const cell of cells) G.cells[cell] = shape;
    G.left[shape] -= 1;
    passOn(G, seat);
  },
};

module.exports.Hepta = {
  name: "hepta",
  minPlayers: 2,
  maxPlayers: 2,
  setup: (_, setupData) => ({ ...fresh(), leg: 0, legs: setupData?.legs ?? 2, points: [0, 0], over: false }),
  moves,
  turn: {
    minMoves: 1,
    maxMoves: 1,
    order: { first: () => 0, next: ({ G }) => person(G, G.turn) },
  },
  endIf: ({ G }) => {
    if (!G.over) return undefined;
    return G.points[0] === G.points[1] ? { draw: true } : { winner: G.points[0] > G.points[1] ? "0" : "1" };
  },
};
