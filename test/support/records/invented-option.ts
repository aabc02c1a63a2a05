import * as z from 'zod'
import { OPTIONS } from '../../../src/core/monitors/options/entries.ts'
import type { Option } from '../../../src/core/monitors/options/option.ts'

/**
 * An option of every type that is a secret as a whole. A test file imports this before anything else: all that derives from
 * the entries is read after it, and a process of its own has only that file.
 */
export const PASSPHRASE = 'passphrase'

const entry: Option = {
  schema: z.string().min(1).max(64),
  description: 'What the check says at the door.',
  group: 'request',
  label: 'Passphrase',
  has: () => true,
  default: null,
  secrets: [{ at: [], shownTo: 'nobody' }],
}
Object.assign(OPTIONS, { [PASSPHRASE]: entry })
