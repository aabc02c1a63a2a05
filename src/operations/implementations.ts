import { createContact, deleteContact, getContact, listContacts, updateContact } from './contacts.ts'
import { createMonitor } from './create-monitor.ts'
import { listIncidents, listMonitorChecks, listMonitorIncidents } from './history.ts'
import type { Implementations } from './implementation.ts'
import { deleteMonitor, getMonitor, listMonitors } from './monitors.ts'
import { getTeam } from './team.ts'
import { toggleMonitor, updateMonitor } from './update-monitor.ts'

/** One function per operation of the contract, no more and no fewer. */
export const implementations = {
  listMonitors,
  createMonitor,
  getMonitor,
  updateMonitor,
  replaceMonitor: updateMonitor,
  deleteMonitor,
  toggleMonitor,
  listMonitorChecks,
  listMonitorIncidents,
  listIncidents,
  listContacts,
  createContact,
  getContact,
  updateContact,
  replaceContact: updateContact,
  deleteContact,
  getTeam,
} satisfies Partial<Implementations> as Implementations
