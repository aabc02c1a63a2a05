/** The parts of the overview besides its numbers and what is wrong, in one file that loads after these. */
export { default as UnderMaintenance } from '../maintenance/under-maintenance.tsx'
export { FirstSteps } from './first-steps.tsx'
export { NothingYet } from './nothing-yet.tsx'
export { Alerting } from './overview-alerting.tsx'
export { Events } from './overview-events.tsx'
export { Figures, FirstFigures } from './overview-figures.tsx'
