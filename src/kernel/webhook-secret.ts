const MIN_LENGTH = 20;

/** What a webhook secret must be, for the hint beside its problem. */
export const WEBHOOK_SECRET_RULE = `a random text of at least ${MIN_LENGTH} characters, the same as in the GitHub App's settings`;

/**
 * Returns why a webhook secret could be guessed, as the end of the sentence "the secret …", without the secret; null: it could not. With
 * the secret anyone could speak in GitHub's name.
 */
export function findSecretWeakness(secret: string | undefined): string | null {
  if (secret === undefined || secret.trim() === "") return "is not set";
  if (secret === "development") return 'is "development", which everybody knows';
  if (secret.length < MIN_LENGTH) return `has fewer than ${MIN_LENGTH} characters`;
  return new Set(secret).size < 5 ? "repeats the same few characters" : null;
}
