import { list } from './list.ts'

/** The log of a team's changes, newest first. */
export const AUDIT_LIST = list({ filters: {} })
