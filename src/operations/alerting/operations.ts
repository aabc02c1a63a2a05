export * from './contact-zones.ts'
export * from './contacts.ts'
export {
  getDelivery,
  listContactAttachments,
  listContactSummaries,
  listDeliveries,
  testContact,
} from './deliveries.ts'
export * from './quiet-hours.ts'
