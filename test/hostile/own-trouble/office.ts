import type { Scope } from '../../support/scope.ts'
import type { Mood } from './internet.ts'
import { call, openPlace } from './place.ts'

const NEAR = '192.168.77.1'
export const OFFICE_HOST = '192.168.77.10'
const NAME_SERVERS = ['192.168.77.53', '192.168.77.54']

/** Names of zones of our own, by their addresses. */
export const OFFICE_NAMES = {
  'files.office-one.com': ['192.168.77.11'],
  'wiki.office-two.net': ['192.168.77.12'],
  'printer.office.lan': ['192.168.77.13'],
}

/** The local network, which stays whatever happens to the cable that leads out: a host, and name servers for everything. */
export type Office = {
  nameServers: string[]
  /** How they answer for names that are not their own: recursion. */
  setMoods(moods: Mood[]): Promise<void>
}

export async function openOffice(scope: Scope, names: Record<string, string[]>): Promise<Office> {
  const place = await openPlace(scope, { near: 'lan', far: 'office' })
  await call('ip', 'addr', 'add', `${NEAR}/24`, 'dev', 'lan')
  await call('ip', 'link', 'set', 'lan', 'up')
  for (const address of [OFFICE_HOST, ...NAME_SERVERS, ...Object.values(OFFICE_NAMES).flat()])
    await place.run('ip', 'addr', 'add', `${address}/24`, 'dev', 'office')
  const internet = await place.startInternet({ nameServers: NAME_SERVERS, names, ownNames: OFFICE_NAMES })
  return { nameServers: NAME_SERVERS, setMoods: (moods) => internet.tell({ moods }) }
}
