import { DATABASE_ROWS, TIME_ROWS } from './machine-rows.ts'
import { NAME_ROWS } from './name-rows.ts'
import type { Row } from './row.ts'
import { SHORTAGE_ROWS } from './shortage-rows.ts'
import { type Beside, isSame, type Stage } from './stage.ts'
import { WAY_ROWS } from './way-rows.ts'

export const ROWS: Row[] = [
  {
    name: 'nothing',
    isNoticed: false,
    hasWitnesses: true,
    judges: [4, 6],
    begin: async () => async () => {},
  },
  ...TIME_ROWS,
  ...WAY_ROWS,
  ...NAME_ROWS,
  ...SHORTAGE_ROWS,
  ...DATABASE_ROWS,
]

/** A trouble beside a kind of witness. */
export type Scene = { row: Row; stage: Stage }

/** Each trouble beside each of these that it is about, in an order that seldom changes what is monitored. */
export function scenesOf(rows: Row[], besides: Beside[]): Scene[] {
  const scenes = besides.flatMap((beside) =>
    rows
      .filter(({ hasWitnesses }) => hasWitnesses || beside === 'nothing')
      .map((row): Scene => ({ row, stage: { beside, domains: 'many', hasSix: false, ...row.stage } })),
  )
  const stages = scenes
    .map(({ stage }) => stage)
    .filter((stage, i, all) => i === all.findIndex((one) => isSame(one, stage)))
  return stages.flatMap((stage) => scenes.filter((scene) => isSame(scene.stage, stage)))
}
