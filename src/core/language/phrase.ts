/** Marks an English text that is translated where it is shown, and is data until then. */
export const phrase = <const Text extends string>(text: Text): Text => text
