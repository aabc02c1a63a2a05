import type { Mood } from './internet.ts'
import type { Row } from './row.ts'
import type { World } from './world.ts'

const FAILING = ['silence', 'SERVFAIL', 'REFUSED', 'NXDOMAIN'] as const
const WELL: Mood[] = ['well', 'well']

async function ail({ far, office }: World, moods: Mood[]) {
  for (const { setMoods } of [far, office]) await setMoods(moods)
  return async () => {
    for (const { setMoods } of [far, office]) await setMoods(WELL)
  }
}

/** For every name but internal ones. */
function every(mood: Mood): Row {
  return {
    name: `name servers: ${mood} for every name`,
    isNoticed: true,
    hasWitnesses: true,
    judges: [4, 6],
    begin: (world) => ail(world, [mood, mood]),
  }
}

function everyOfOneDomain(mood: Mood): Row {
  return {
    ...every(mood),
    name: `name servers: ${mood}, with all names of one domain`,
    stage: { domains: 'one' },
  }
}

function first(mood: Mood): Row {
  return {
    name: `first of two name servers: ${mood}`,
    // The first one's word that nothing exists counts where it was the one that answered last.
    isNoticed: mood === 'NXDOMAIN' ? null : false,
    begin: (world) => ail(world, [mood, 'well']),
  }
}

export const NAME_ROWS: Row[] = [
  ...FAILING.map(every),
  ...FAILING.map(everyOfOneDomain),
  ...FAILING.map(first),
]
