// Names that the server makes up.

/** No vowels and nothing that looks like something else, so that no words come out. */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const SUFFIX = 5;
const LONGEST = 63;

/** The base, shortened where the whole would be too long for a label, and five random characters. */
export function generateName(base: string): string {
  const random = crypto.getRandomValues(new Uint32Array(SUFFIX));
  let suffix = "";
  for (const n of random) suffix += ALPHABET[n % ALPHABET.length];
  return base.slice(0, LONGEST - SUFFIX) + suffix;
}
