// boardgame.io's own server with its own storage, in memory, on the loopback: `node server.js PORT`.

const { Server } = require("boardgame.io/server");
const { Hepta } = require("./hepta");

const port = Number(process.argv[2]);
const server = Server({ games: [Hepta], origins: [`http://127.0.0.1:${port}`] });
const listen = server.app.listen;
server.app.listen = (at, then) => listen.call(server.app, at, "127.0.0.1", then); // it would listen everywhere
server.run(port, () => console.log("open"));
