import { said } from '../../core/language/said.ts'
import { PreviewRequest } from '../../core/maintenance/shown-window.ts'
import { MaintenanceWindow } from '../../core/maintenance/window.ts'
import { windowFaults } from '../../core/maintenance/window-faults.ts'
import { broken, type Faults, parseFields } from '../../core/validation.ts'
import type { Implementation } from '../implementation.ts'
import { previewOf } from './present-window.ts'
import { refuseUnknownSubjects } from './subject-ids.ts'

export const previewMaintenanceWindow: Implementation<'previewMaintenanceWindow'> = {
  validate({ databaseNow }, _asked, body) {
    const asked = parseFields(PreviewRequest, body)
    const { window: sent } = body as { window?: unknown }
    if (!isObject(sent)) return broken({ window: [said('must be an object')] })
    const window = parseFields(MaintenanceWindow, sent, windowFaults(databaseNow()))
    const errors: Faults = { ...(!asked.ok && asked.faults), ...(!window.ok && window.faults) }
    if (!asked.ok || !window.ok) return broken(errors)
    return { ok: true, value: { ...asked.value, window: window.value } }
  },

  async perform({ db, databaseNow }, { actor, body }) {
    const window = body.window as MaintenanceWindow
    await refuseUnknownSubjects(db.query, actor.teamId, window)
    const now = databaseNow()
    // One that has begun is the first that such a window has.
    const hasBegun = window.kind === 'one_off' && window.starts_at <= now
    const from = hasBegun ? new Date(window.starts_at.getTime() - 1) : now
    return { body: { data: previewOf(window, window, from, body) } }
  },
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
