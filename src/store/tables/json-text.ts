/** Each escape as a whole: a backslash before `u0000` may itself be escaped. */
const ESCAPE = /\\(?:u[0-9a-f]{4}|[^])/g
const UNSTORABLE = /^\\u(?:0000|d[89a-f][0-9a-f]{2})$/

/** JSON as PostgreSQL reads it: without NUL and halves of characters, which become U+FFFD. */
export const storableJson = (json: string): string =>
  json.includes(String.raw`\u`)
    ? json.replace(ESCAPE, (escape) => (UNSTORABLE.test(escape) ? '\u{fffd}' : escape))
    : json

/** A value of a JSON column. */
export const toJsonText = (value: object): string => storableJson(JSON.stringify(value))
