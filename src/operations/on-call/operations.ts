export * from './calendar-address.ts'
export * from './drills.ts'
export * from './dry-run.ts'
export * from './overrides.ts'
export {
  createEscalationPolicy,
  deleteEscalationPolicy,
  getEscalationPolicy,
  getOnCallSettings,
  listEscalationPolicies,
  updateEscalationPolicy,
  updateOnCallSettings,
} from './policies.ts'
export * from './schedules.ts'
export * from './shifts.ts'
