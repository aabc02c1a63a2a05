import { Contact, ContactCreate, ContactPatch } from '../core/contact.ts'
import { many, one } from './envelope.ts'
import { type Operation, PUT_DEPRECATION } from './operation.ts'

const PATH = '/notification-contacts/{notificationContact}'

const update = {
  path: PATH,
  access: 'write',
  body: ContactPatch,
  status: 200,
  output: one(Contact),
  errors: ['notFound', 'contentTooLarge', 'unsupportedMediaType', 'validationFailed'],
} as const satisfies Partial<Operation>

export const contactOperations = {
  listContacts: {
    method: 'GET',
    path: '/notification-contacts',
    summary: 'List notification contacts in name order',
    access: 'read',
    status: 200,
    output: many(Contact),
    errors: [],
    tool: 'list-notification-contacts',
  },
  createContact: {
    method: 'POST',
    path: '/notification-contacts',
    summary: 'Create a notification contact',
    access: 'write',
    body: ContactCreate,
    status: 201,
    output: one(Contact),
    errors: ['contentTooLarge', 'unsupportedMediaType', 'validationFailed'],
    tool: 'create-notification-contact',
  },
  getContact: {
    method: 'GET',
    path: PATH,
    summary: 'Show a notification contact',
    access: 'read',
    status: 200,
    output: one(Contact),
    errors: ['notFound'],
  },
  updateContact: { ...update, method: 'PATCH', summary: 'Change the fields that are sent' },
  replaceContact: {
    ...update,
    method: 'PUT',
    summary: 'Change the fields that are sent, as PATCH does',
    deprecated: PUT_DEPRECATION,
  },
  deleteContact: {
    method: 'DELETE',
    path: PATH,
    summary: 'Remove the contact and detach it from every monitor',
    access: 'write',
    status: 204,
    errors: ['notFound'],
  },
} as const satisfies Record<string, Operation>
