/** Heights in pixels: of the frame, of a line, of the gap between lines, and of the line that counts what does not fit. */
export type Room = { height: number; line: number; gap: number; more: number }

/**
 * The lines of a page, those that are on others, and the number of pages. Everything is on one page where it fits; otherwise
 * each leaves room for the count of the rest. A frame that is too low for any line still shows one. `turn` counts on without
 * an end, in both directions.
 */
export function wallPage<Line>(
  lines: readonly Line[],
  room: Room | null,
  turn: number,
): { shown: Line[]; hidden: Line[]; pages: number } {
  if (room === null || fitting(room, room.height) >= lines.length) {
    return { shown: [...lines], hidden: [], pages: 1 }
  }
  const size = Math.max(1, fitting(room, room.height - room.more - room.gap))
  const pages = Math.ceil(lines.length / size)
  const page = ((turn % pages) + pages) % pages
  const isShown = (index: number) => Math.floor(index / size) === page
  return {
    shown: lines.filter((_, index) => isShown(index)),
    hidden: lines.filter((_, index) => !isShown(index)),
    pages,
  }
}

function fitting({ line, gap }: Room, height: number): number {
  return Math.floor((height + gap) / (line + gap))
}
