import type { Diagnosis } from '../operations/diagnose.ts'
import type { Services } from '../operations/services.ts'
import type { Delays } from './client/delays.ts'
import type { RemoteEnvironment } from './client/profile.ts'

/** The work of commands on this machine; wired in roles/deployment.ts. */
export type Deployment = {
  serve: () => Promise<void>
  withServices: <T>(work: (services: Services) => Promise<T>) => Promise<T>
  migrate: () => Promise<string[]>
  diagnose: () => Promise<Diagnosis[]>
  /** Takes over or removes a database kept outside its data directory, and reports what it did. */
  tidy: (wanted: { takesOver: boolean; remove?: string }) => Promise<void>
  backup: (file: string) => Promise<{ rows: number; bytes: number }>
  /** Writes every public status page as files. */
  exportStatusPages: (folder: string) => Promise<{ pages: number; files: number; removed: string[] }>
  restore: (file: string) => Promise<{ rows: number }>
  /** `secretKeyFile` is null if the key comes from a setting. */
  moveDatabase: (
    url: string,
  ) => Promise<{ rows: number; tables: number; place: string; secretKeyFile: string | null }>
  /** Settings for a service elsewhere, from the environment. */
  remote: () => RemoteEnvironment
  /** An environment variable that a declaration refers to. */
  variable: (name: string) => string | undefined
  delays: Delays
  /** The running version, in one line. */
  version: () => string
}
