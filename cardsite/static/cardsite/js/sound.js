// Quiet sounds of the table, made here: knocks, as of cards on a cloth, and soft tones. Only if the reader has switched
// them on, and not before the first click or key on the page. A page in the background only tells of one's own turn.
const knock = (frequency, at = 0, length = 0.07) => ({ make: noise, frequency, at, length });
const tone = (frequency, at = 0, length = 0.22) => ({ make: hum, frequency, at, length });
const SOUNDS = {
  lay: [knock(1400)],
  take: [knock(1400), knock(1100, 0.09), knock(900, 0.17)],
  deal: [0, 1, 2, 3, 4].map((place) => knock(2200, 0.06 * place, 0.05)),
  turn: [tone(523, 0.12), tone(659, 0.24)],
  chat: [tone(880, 0, 0.12)],
  short: [knock(5000, 0, 0.03), knock(5000, 0.2, 0.03)],
  over: [tone(523), tone(659, 0.16), tone(784, 0.32, 0.4)],
};
const LOUDNESS = { quiet: 0.15, on: 0.4 };
const loudness = () => LOUDNESS[document.documentElement.dataset.sound] ?? 0;
let context = null;

function noise({ frequency, at, length }) {
  const buffer = context.createBuffer(1, context.sampleRate * length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 6;
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(new BiquadFilterNode(context, { type: "lowpass", frequency })).connect(volume());
  source.start(context.currentTime + at);
}

function hum({ frequency, at, length }) {
  const source = new OscillatorNode(context, { frequency });
  const fade = new GainNode(context, { gain: 0 });
  const start = context.currentTime + at;
  fade.gain.setValueAtTime(0, start).linearRampToValueAtTime(0.5, start + 0.02).exponentialRampToValueAtTime(0.001, start + length);
  source.connect(fade).connect(volume());
  source.start(start);
  source.stop(start + length);
}

function volume() {
  const gain = new GainNode(context, { gain: loudness() });
  gain.connect(context.destination);
  return gain;
}

export function play(name) {
  const mayPlay = loudness() && navigator.userActivation.hasBeenActive && (name === "turn" || !document.hidden);
  if (!mayPlay) return;
  context ??= new AudioContext();
  if (context.state !== "running") context.resume().catch(() => {}); // a call, or another app, has interrupted it
  for (const part of SOUNDS[name]) part.make(part);
  document.documentElement.dataset.sounded = name;
}

// Who switches them on, or asks for it, hears what they are like.
document.addEventListener("change", ({ target }) => target.matches("[data-preferences] [name=sound]") && play("take"));
document.addEventListener("click", ({ target }) => {
  if (!target.closest?.("[data-try-sounds]")) return;
  Object.keys(SOUNDS).forEach((name, place) => setTimeout(play, 900 * place, name));
});
