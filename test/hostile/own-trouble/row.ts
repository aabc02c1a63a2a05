import { NAME_SERVERS_SEEM_DOWN, NETWORK_SEEMS_DOWN } from '../../../src/core/monitors/cause.ts'
import type { Family, Stage } from './stage.ts'
import type { World } from './world.ts'

export type Heal = () => Promise<void>

/** One trouble of our own. */
export type Row = {
  name: string
  /** Whether the operator is to have one notice of it, or none; null where the machine decides. */
  isNoticed: boolean | null
  /** How long it lasts, where that is what it is about. */
  seconds?: number
  /** It happens once beside each kind of witness. */
  hasWitnesses?: true
  /** Differences from a stage of targets of IPv4 with names of many domains. */
  stage?: Partial<Pick<Stage, 'domains' | 'hasSix'>>
  /** Targets of these families that really fail can be judged meanwhile; the others may wait for the end. */
  judges?: readonly Family[]
  /** Its wrong verdicts are a figure. */
  isMeasured?: true
  /** The database answers nobody meanwhile. */
  takesDatabase?: true
  isPossible?(): boolean
  begin(world: World): Promise<Heal>
}

/** The beginnings of troubles of the way, as the log has them. */
const NETWORK_NOTICE = new RegExp(NETWORK_SEEMS_DOWN)
const NAMES_NOTICE = new RegExp(NAME_SERVERS_SEEM_DOWN)
const UNDECIDED_NOTICE = /a target has not been judged for longer/
export const NOTICES = [NETWORK_NOTICE, NAMES_NOTICE, UNDECIDED_NOTICE]
