/** Returns a function that reads at its first call; simultaneous and later calls share this answer. */
export function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  return () => {
    answer ??= read();
    return answer;
  };
}
