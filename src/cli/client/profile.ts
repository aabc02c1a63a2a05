import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readRegularFile } from '../../files/regular-file.ts'
import { WrongUsage } from '../output.ts'
import type { ApiConnection } from './http-client.ts'

const MAX_FILE_BYTES = 1_024 * 1_024
export const DEFAULT_PROFILE = 'default'

/** Settings of remote commands from the environment. */
export type RemoteEnvironment = {
  /** UPBEAT_URL and UPBEAT_TOKEN. */
  url: string | null
  token: string | null
  /** The user's configuration folder (XDG). */
  configHome: string
}

type Profiles = Record<string, ApiConnection>

export function profilesFile({ configHome }: RemoteEnvironment): string {
  return join(configHome, 'upbeat', 'profiles.json')
}

export async function readProfiles(environment: RemoteEnvironment): Promise<Profiles> {
  const file = profilesFile(environment)
  let text: string
  try {
    text = (await readRegularFile(file, MAX_FILE_BYTES)).toString('utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  try {
    const { profiles } = JSON.parse(text) as { profiles: Profiles }
    // Without a prototype, so that names such as `constructor` are not found.
    return Object.assign(Object.create(null), profiles) as Profiles
  } catch {
    throw new Error(`${file} cannot be read: delete it and log in again`)
  }
}

/** Adds a profile, or removes it. Only the user can read the file, and it is never half-written. */
export async function keepProfile(
  environment: RemoteEnvironment,
  name: string,
  connection: ApiConnection | null,
): Promise<void> {
  const { [name]: _former, ...others } = await readProfiles(environment)
  const profiles = connection ? { ...others, [name]: connection } : others
  const file = profilesFile(environment)
  await mkdir(join(environment.configHome, 'upbeat'), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify({ profiles }, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, file)
}

/** The service to ask: an explicit profile, else the environment, else the profile `default`. */
export async function findConnection(
  environment: RemoteEnvironment,
  options: { profile?: string; insecure?: boolean },
): Promise<ApiConnection & { source: string }> {
  const { url, token } = environment
  const name = options.profile ?? DEFAULT_PROFILE
  const insecure = options.insecure === true
  if (options.profile === undefined && url && token)
    return { url, token, insecure, source: 'the environment' }
  const profile = (await readProfiles(environment))[name]
  if (options.profile === undefined && url && !token) {
    // A token for one service must not reach another.
    throw new WrongUsage('UPBEAT_URL is set and UPBEAT_TOKEN is not: set both, or neither')
  }
  if (!profile) {
    const login = options.profile === undefined ? '' : ` --profile ${name}`
    throw new Error(
      `not logged in: run upbeat login --url https://…${login}, set UPBEAT_URL and UPBEAT_TOKEN, or name a member of this machine's service with --team and --email`,
    )
  }
  const used = options.profile === undefined ? (token ?? profile.token) : profile.token
  return { ...profile, token: used, insecure: insecure || profile.insecure, source: `profile ${name}` }
}
