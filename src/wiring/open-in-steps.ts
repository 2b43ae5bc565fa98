/**
 * Opens parts one after the other. `open` registers with the stack how each is closed, in reverse order; when it fails, what is open already
 * is closed, else its caller disposes of the stack. Not `await using`: dependency-cruiser does not read it.
 */
export async function openInSteps<T>(open: (opening: AsyncDisposableStack) => Promise<T>): Promise<T> {
  const opening = new AsyncDisposableStack();
  try {
    return await open(opening);
  } catch (error) {
    await opening.disposeAsync();
    throw error;
  }
}
