/** Two soft notes when it is your turn. Sound never carries anything that is not also on the page. */
let audio: AudioContext | null = null;

export function chime(): void {
  try {
    audio ??= new AudioContext();
    const start = audio.currentTime + 0.02;
    [587.3, 880].forEach((pitch, i) => {
      const tone = audio!.createOscillator();
      const volume = audio!.createGain();
      tone.type = 'sine';
      tone.frequency.value = pitch;
      const at = start + i * 0.14;
      volume.gain.setValueAtTime(0, at);
      volume.gain.linearRampToValueAtTime(0.12, at + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.5);
      tone.connect(volume).connect(audio!.destination);
      tone.start(at);
      tone.stop(at + 0.55);
    });
  } catch {
    // No sound device, or the page may not play yet.
  }
}
