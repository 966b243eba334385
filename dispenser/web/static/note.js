// One note, with soft edges.

const LOUDNESS = 0.1;
const EDGE_S = 0.006;

/** @param {AudioNode} output @param {number} frequency @param {number} start @param {number} end @param {OscillatorType} [type] */
export function note(output, frequency, start, end, type = "square") {
  const oscillator = new OscillatorNode(output.context, { type, frequency });
  const envelope = new GainNode(output.context);
  envelope.gain.setValueAtTime(0, start);
  envelope.gain.linearRampToValueAtTime(LOUDNESS, start + EDGE_S);
  envelope.gain.setValueAtTime(LOUDNESS, end - EDGE_S);
  envelope.gain.linearRampToValueAtTime(0, end);
  oscillator.connect(envelope).connect(output);
  oscillator.start(start);
  oscillator.stop(end);
  return oscillator;
}
