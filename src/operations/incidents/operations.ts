export * from './diagnoses.ts'
export {
  listIncidentRows,
  listIncidents,
  listMonitorIncidents,
  listServerIncidents,
  listSiteIncidents,
} from './lists.ts'
export * from './stories.ts'
