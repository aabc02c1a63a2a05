import type { Database } from '../../../src/postgres/database.ts'
import { addRow, addRows, type Given } from './rows.ts'

/** A prober on this machine, in the region without a name, whose lease is over unless one is given. */
export async function addProber(db: Database, columns: Given<'probers'> = {}): Promise<number> {
  const prober = { region: '', host: 'here', pid: 1, expires_at: new Date(), ...columns }
  return (await addRow(db, 'probers', prober)).id
}

/** Slots of a region, all alike. */
export async function addSlots(db: Database, slots: number[], columns: Given<'slots'>): Promise<void> {
  await addRows(
    db,
    'slots',
    slots.map((slot) => ({ region: '', ...columns, slot })),
  )
}
