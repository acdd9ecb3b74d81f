// A soft tap, as of a card laid down, when the table has moved on; only if the reader has switched sounds on.
let context = null;
let seq = document.getElementById("board")?.dataset.seq;

function tap() {
  context ??= new AudioContext();
  const length = 0.07;
  const buffer = context.createBuffer(1, context.sampleRate * length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 6;
  const source = new AudioBufferSourceNode(context, { buffer });
  const muffle = new BiquadFilterNode(context, { type: "lowpass", frequency: 1400 });
  const volume = new GainNode(context, { gain: 0.35 });
  source.connect(muffle).connect(volume).connect(context.destination);
  source.start();
}

document.addEventListener("htmx:afterSwap", () => {
  const now = document.getElementById("board")?.dataset.seq;
  if (now === seq) return;
  seq = now;
  if (document.documentElement.dataset.sound === "on") tap();
});
