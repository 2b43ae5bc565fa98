/** Returns a function that reads at its first call; simultaneous and later calls share this answer. */
export function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  return () => {
    answer ??= read();
    return answer;
  };
}

/** Returns a function whose simultaneous callers share one call, that of the first of them. */
export function shareRunning<Input extends unknown[], T>(
  ask: (...input: Input) => Promise<T>,
): (...input: Input) => Promise<T> {
  let running: Promise<T> | null = null;
  return (...input) => {
    running ??= ask(...input).finally(() => {
      running = null;
    });
    return running;
  };
}
