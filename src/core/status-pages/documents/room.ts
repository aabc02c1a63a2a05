/** Components that are named in all posts together, with what was said of each in each update. */
const MAX_MENTIONS = 5_000
/** The bound of the texts of all posts together, in UTF-16 units. */
const MAX_TEXT_LENGTH = 500_000

/** How much is told of posts, the newest first, so that no page makes documents that a process cannot hold. */
export type Room = ReturnType<typeof createRoom>

export function createRoom() {
  let mentions = MAX_MENTIONS
  let text = MAX_TEXT_LENGTH
  return {
    /** A list, or nothing where it no longer fits: a part of it would be mistaken for the whole. */
    listOf<T>(list: readonly T[]): readonly T[] {
      if (list.length > mentions) return []
      mentions -= list.length
      return list
    },
    /** Whether a text fits, too. After one that does not there is none, so that the story has no gaps. */
    takesText(body: string): boolean {
      const fits = body.length <= text
      text = fits ? text - body.length : 0
      return fits
    },
  }
}

const MAX_LINES = 20

/** The first lines of a list for people, and how many more there are. */
export function firstLines(lines: readonly string[]): string[] {
  return lines.length <= MAX_LINES
    ? [...lines]
    : [...lines.slice(0, MAX_LINES), `… +${lines.length - MAX_LINES}`]
}
