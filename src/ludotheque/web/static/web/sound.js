// Small sounds, made on the spot: a knock for a move, two for something taken, a call for your turn, a chord at the end.

// Each sound is made of notes: pitch in hertz, when it begins and how long it rings, in seconds.
const SOUNDS = {
  move: { wave: "triangle", notes: [[196, 0, 0.09]] },
  taken: { wave: "triangle", notes: [[196, 0, 0.09], [131, 0.1, 0.16]] },
  turn: { wave: "sine", notes: [[523, 0.3, 0.18], [659, 0.42, 0.3]] },
  end: { wave: "sine", notes: [[392, 0.3, 0.5], [494, 0.45, 0.5], [587, 0.6, 0.8]] },
};
const LOUD = 0.16;

let context = null;

/** Let it be heard, once somebody has touched the page: browsers want that, and what waits would all come at once. */
export function sound(name) {
  if (!("AudioContext" in window) || navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
  const { wave, notes } = SOUNDS[name];
  for (const [pitch, start, length] of notes) note(wave, pitch, context.currentTime + start, length);
}

function note(wave, pitch, start, length) {
  const tone = new OscillatorNode(context, { type: wave, frequency: pitch });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(LOUD, start + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  tone.connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + length);
}
