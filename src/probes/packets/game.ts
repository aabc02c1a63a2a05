import { NO_HOST } from '../../core/monitors/cause.ts'
import type { CheckResult } from '../../core/monitors/check.ts'
import { type GameQuery, gameOf } from '../../core/monitors/options/protocols/games.ts'
import { parseTarget, portOf } from '../../core/monitors/target.ts'
import { notOfProtocol } from '../../core/monitors/types/causes.ts'
import type { Network } from '../../net/network.ts'
import { attempt, unanswered } from '../attempt.ts'
import { connect } from '../connect.ts'
import { cutOff } from '../lines/cut-off.ts'
import { createTalk, TalkEnded } from '../lines/talk.ts'
import type { Probe } from '../probe.ts'
import { wayOf } from '../way.ts'
import { type Current, checkByPackets, judge, type Understood } from './by-packets.ts'
import { Garbled } from './cursor.ts'
import { type GameFacts, PACKET_QUERIES } from './game-queries.ts'
import { askMinecraft } from './minecraft.ts'

const NAME = 'game server'

/** Up when a game server answers the query of its game. */
export function createGameProbe(network: Network): Probe<'game'> {
  return (settings, signal) => attempt(network, settings, signal, check)
}

async function check(current: Current<'game'>): Promise<CheckResult> {
  const { settings } = current
  const game = gameOf(settings.options?.game ?? '')
  const port = portOf(settings) ?? game?.queryPort ?? null
  if (game === null || port === null) return unanswered(current, NO_HOST)
  const { query } = game
  if (query === 'minecraft') return checkMinecraft(current, port)
  return checkByPackets(current, { name: NAME, begin: () => dialogueOf(query) }, port)
}

function dialogueOf(query: Exclude<GameQuery, 'minecraft'>) {
  const { packet, read } = PACKET_QUERIES[query]()
  return {
    packet,
    read: (bytes: Buffer) => {
      const meaning = read(bytes)
      return meaning && 'answer' in meaning ? { answer: foundOf(meaning.answer) } : meaning
    },
  }
}

function foundOf(facts: GameFacts): Understood {
  return { fault: null, read: { answer: facts.name, body: JSON.stringify(facts) } }
}

async function checkMinecraft(current: Current<'game'>, port: number): Promise<CheckResult> {
  const { settings, signal } = current
  const url = parseTarget(settings.url)
  const connected = await connect(current, { kind: 'check', url, port, way: await wayOf(current) })
  if (connected.kind === 'ended') return connected.result
  try {
    current.requested()
    const talk = createTalk(connected.socket, signal, current.progress)
    const sentAt = performance.now()
    const facts = await askMinecraft(talk, { host: url?.hostname ?? '', port })
    current.firstByteRead(Math.round((talk.beganAt() ?? sentAt) - sentAt))
    return await judge(current, foundOf(facts))
  } catch (error) {
    if (error instanceof Garbled) return judge(current, { fault: notOfProtocol(NAME) })
    if (!(error instanceof TalkEnded)) throw error
    return cutOff(current, { name: NAME, port, connected, awaited: 'answer' }, error)
  } finally {
    connected.socket.destroy()
  }
}
