export * from './first-steps.ts'
export * from './overview.ts'
export * from './team-figures.ts'
