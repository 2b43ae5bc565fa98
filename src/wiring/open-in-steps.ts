/**
 * Opens parts one after the other. `open` registers a closer for each part; they run in reverse order. If it fails, the parts opened so
 * far are closed; otherwise the caller disposes of them. Not `await using`: dependency-cruiser does not read it.
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
