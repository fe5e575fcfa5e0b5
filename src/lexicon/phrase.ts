/** Words, divided by white space. */
export type Words = string

/**
 * Phrases, divided by commas or line ends. `(a|b)` is one of both, `[a]` may be left out, `[a|b]*` stands as often as it
 * likes, `~` is any letters: `kost~`. A space is any white space, an apostrophe either of the two. `{file}` is what the
 * list says of it. Case makes no difference.
 */
export type Phrases = string
