export * from './overview.ts'
export * from './team-figures.ts'
