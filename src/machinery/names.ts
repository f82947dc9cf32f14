// Names that the server makes up: the suffix behind generateName, and uids.

/** No vowels and nothing that looks like another character, so that no words come out. */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const SUFFIX = 5;
const LONGEST = 63;

/** The base, shortened where the whole would be too long for a label, and five random characters. */
export function generateName(base: string): string {
  return base.slice(0, LONGEST - SUFFIX) + randomText(SUFFIX);
}

/** Random characters of the alphabet of generated names. */
function randomText(length: number): string {
  let text = "";
  for (const n of crypto.getRandomValues(new Uint32Array(length))) text += ALPHABET[n % ALPHABET.length];
  return text;
}
