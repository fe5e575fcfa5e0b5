/** Words, divided by white space. */
export type Words = string

/**
 * Phrases, divided by commas or line ends. `(a|b)` is one of both, `[a]` may be left out, `[a|b]*` any number of times,
 * `~` is any letters: `kost~`. A space is any white space, an apostrophe either of the two. The list defines `{file}`.
 * Case makes no difference.
 */
export type Phrases = string
