import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type AgentScript, versionOf, withAddress } from '../../core/servers/agent-script.ts'
import { SERVER_PATH } from '../../core/servers/server.ts'
import type { ServerInstall } from '../../core/servers/shown-server.ts'
import { ownFile } from '../../files/own-files.ts'
import { findServerByToken } from '../../store/servers/recording.ts'
import type { Services } from '../services.ts'
import { foundBySecret, throttle } from '../sign-in/throttle.ts'

const SCRIPTS: Record<AgentScript, string> = {
  install: readFileSync(ownFile('agent/upbeat-agent.sh'), 'utf8'),
  'install.ps1': readFileSync(ownFile('agent/upbeat-agent.ps1'), 'utf8'),
}

export function serverAddress({ siteUrl }: Pick<Services, 'siteUrl'>, token: string): string {
  return `${siteUrl}${SERVER_PATH}/${token}`
}

/** The script that a server runs, with its address. Refuses with 404 and 429. */
export async function readAgentScript(
  services: Services,
  { kind, token, address }: { kind: AgentScript; token: string; address: string },
): Promise<string> {
  const found = await findServerByToken(services.db.query, token)
  const { serverId } = await foundBySecret(services, 'report', address, found)
  await throttle(services.limits.perInstalledServer, serverId)
  return withAddress(kind, SCRIPTS[kind], serverAddress(services, token))
}

/** Facts of the script for this address, which the dashboard shows so that it can be compared before it is run. */
export function agentOf(address: string): ServerInstall['agent'] {
  const script = withAddress('install', SCRIPTS.install, address)
  return { version: versionOf(SCRIPTS.install), sha256: createHash('sha256').update(script).digest('hex') }
}
