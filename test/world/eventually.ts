/** Tries until the expectation holds; its last failure is the test's failure after `timeoutMs`. */
export async function eventually<T>(expectation: () => T | Promise<T>, timeoutMs = 10_000): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
