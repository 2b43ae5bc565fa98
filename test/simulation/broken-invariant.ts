/** A story in which the bot did what it must not do. */
export class BrokenInvariant extends Error {
  override readonly name = "BrokenInvariant";
}
