// Small synthesised sounds: a knock for a move, two for a capture, a call for your turn, a chord at the end.

// Each sound is made of notes: frequency in hertz, start and length in seconds.
/** @type {Record<"move" | "taken" | "turn" | "end", { wave: OscillatorType, notes: [number, number, number][] }>} */
const SOUNDS = {
  move: { wave: "triangle", notes: [[196, 0, 0.09]] },
  taken: {
    wave: "triangle",
    notes: [
      [196, 0, 0.09],
      [131, 0.1, 0.16],
    ],
  },
  turn: {
    wave: "sine",
    notes: [
      [523, 0.3, 0.18],
      [659, 0.42, 0.3],
    ],
  },
  end: {
    wave: "sine",
    notes: [
      [392, 0.3, 0.5],
      [494, 0.45, 0.5],
      [587, 0.6, 0.8],
    ],
  },
};
const PEAK_GAIN = 0.16;
const ATTACK_S = 0.008;

/** @type {AudioContext | undefined} */
let context;

/**
 * Play a sound, if the visitor has used the page: browsers require that, and queued sounds would play all at once.
 * @param {keyof typeof SOUNDS} name
 */
export function playSound(name) {
  if (!("AudioContext" in window) || navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
  const { wave, notes } = SOUNDS[name];
  for (const [frequency, start, length] of notes) playNote(context, wave, frequency, start, length);
}

/**
 * @param {AudioContext} audio
 * @param {OscillatorType} type
 * @param {number} frequency
 * @param {number} after  seconds from now
 * @param {number} length
 */
function playNote(audio, type, frequency, after, length) {
  const start = audio.currentTime + after;
  const tone = new OscillatorNode(audio, { type, frequency });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(PEAK_GAIN, start + ATTACK_S);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(start + length);
}
