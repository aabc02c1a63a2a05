import type { Diagnosis } from '../operations/diagnose.ts'
import type { Services } from '../operations/services.ts'
import type { Patience } from './client/delays.ts'
import type { RemoteEnvironment } from './client/profile.ts'

/** Everything that commands do on this machine; wired in roles/deployment.ts. */
export type Deployment = {
  serve: () => Promise<void>
  withServices: <T>(work: (services: Services) => Promise<T>) => Promise<T>
  migrate: () => Promise<string[]>
  diagnose: () => Promise<Diagnosis[]>
  /** Settles whose a database is that is kept outside of its data directory, and tells what it did. */
  tidy: (wanted: { takesOver: boolean; remove?: string }) => Promise<void>
  backup: (file: string) => Promise<{ rows: number; bytes: number }>
  restore: (file: string) => Promise<{ rows: number }>
  /** The file is null where the key is a setting. */
  moveDatabase: (
    url: string,
  ) => Promise<{ rows: number; tables: number; place: string; secretKeyFile: string | null }>
  /** What the environment says about a service elsewhere. */
  remote: () => RemoteEnvironment
  /** A variable of the environment, which a declaration names. */
  variable: (name: string) => string | undefined
  patience: Patience
  /** What runs here, in one line. */
  version: () => string
}
