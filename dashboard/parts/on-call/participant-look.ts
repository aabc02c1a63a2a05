/** Colours of participants, in the order of their schedule. Names stand beside them: more participants share colours. */
const LOOKS = [
  { bar: 'border-chart-1 bg-chart-1/12', dot: 'bg-chart-1' },
  { bar: 'border-chart-2 bg-chart-2/12', dot: 'bg-chart-2' },
  { bar: 'border-chart-3 bg-chart-3/12', dot: 'bg-chart-3' },
  { bar: 'border-chart-4 bg-chart-4/12', dot: 'bg-chart-4' },
  { bar: 'border-chart-5 bg-chart-5/12', dot: 'bg-chart-5' },
  { bar: 'border-chart-6 bg-chart-6/12', dot: 'bg-chart-6' },
] as const

export type ParticipantLook = (typeof LOOKS)[number]

/** The look of the participant with a key, by its place among all. */
export function lookOf(key: number, participants: readonly { key: number }[]): ParticipantLook {
  const place = participants.findIndex((participant) => participant.key === key)
  return LOOKS[Math.max(0, place) % LOOKS.length] ?? LOOKS[0]
}
