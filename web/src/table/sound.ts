/**
 * Short sounds, made on the spot: your turn, dice, a flag, screens going up. They never carry anything that is not also on
 * the page, and nothing sounds before the visitor has pressed something.
 */
export type Sound = 'turn' | 'dice' | 'flag' | 'screens' | 'low' | 'last';

let audio: AudioContext | null = null;

interface Note {
  pitch: number;
  /** Seconds after the first. */
  at: number;
  long: number;
  shape?: OscillatorType;
  loud?: number;
}

const NOTES: Record<Sound, Note[]> = {
  turn: [
    { pitch: 587.3, at: 0, long: 0.5 },
    { pitch: 880, at: 0.14, long: 0.5 },
  ],
  dice: [0, 0.07, 0.16, 0.22].map((at, i) => ({ pitch: 210 - 22 * i, at, long: 0.06, shape: 'triangle', loud: 1.4 })),
  flag: [
    { pitch: 392, at: 0, long: 0.12, shape: 'triangle' },
    { pitch: 523.3, at: 0.1, long: 0.3, shape: 'triangle' },
  ],
  low: [0, 0.22].map((at) => ({ pitch: 1046.5, at, long: 0.09, shape: 'triangle' })),
  last: [{ pitch: 1046.5, at: 0, long: 0.14, shape: 'triangle' }],
  screens: [330, 415.3, 493.9].map((pitch, i) => ({ pitch, at: i * 0.09, long: 0.35 })),
};

/** Plays a sound at a volume between 0 and 1. */
export function play(sound: Sound, volume: number): void {
  if (volume <= 0 || navigator.userActivation?.hasBeenActive === false) return;
  try {
    audio ??= new AudioContext();
    const start = audio.currentTime + 0.02;
    for (const note of NOTES[sound]) ring(audio, start, note, volume);
  } catch {
    // No sound device, or the page may not play yet.
  }
}

function ring(
  on: AudioContext,
  start: number,
  { pitch, at, long, shape = 'sine', loud = 1 }: Note,
  volume: number,
): void {
  const tone = on.createOscillator();
  const gain = on.createGain();
  tone.type = shape;
  tone.frequency.value = pitch;
  gain.gain.setValueAtTime(0, start + at);
  gain.gain.linearRampToValueAtTime(0.2 * volume * loud, start + at + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + at + long);
  tone.connect(gain).connect(on.destination);
  tone.start(start + at);
  tone.stop(start + at + long + 0.05);
}
