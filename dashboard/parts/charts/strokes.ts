/** Lines that can be told apart without color, too. */
export const STROKES = [
  { colour: 'chart-1', dash: [] },
  { colour: 'chart-2', dash: [7, 3] },
  { colour: 'chart-3', dash: [2, 3] },
  { colour: 'chart-4', dash: [9, 3, 2, 3] },
  { colour: 'chart-5', dash: [4, 4] },
  { colour: 'chart-6', dash: [14, 4] },
] as const

export function strokeOf(index: number) {
  return STROKES[index % STROKES.length] ?? STROKES[0]
}
