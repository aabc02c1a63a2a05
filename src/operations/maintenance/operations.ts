export {
  createMaintenanceCalendar,
  deleteMaintenanceCalendar,
  rotateMaintenanceAddress,
  showMaintenanceCalendar,
} from './addresses.ts'
export * from './create-window.ts'
export * from './occurrences.ts'
export * from './preview.ts'
export { callOffMaintenance, endMaintenance, prolongMaintenance, startMaintenance } from './turns.ts'
export * from './windows.ts'
