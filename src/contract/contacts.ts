import { Contact, ContactCreate, ContactPatch } from '../core/alerting/contact.ts'
import { many, one } from './envelope.ts'
import { examples } from './openapi/examples.ts'
import { type PublicOperation, patchAndPut } from './operation.ts'

const PATH = '/notification-contacts/{notificationContact}'

const update = patchAndPut(
  'a notification contact',
  'Changes the fields that are sent; all others keep their values. `config` replaces the stored one as a whole, so send every key that the type requires. The type cannot be changed.',
  {
    tag: 'Notification contacts',
    examples: { bodies: { rename: { name: 'Night shift' } }, data: examples.contact },
    path: PATH,
    body: ContactPatch,
    output: one(Contact),
  } as const,
)

export const contactOperations = {
  listContacts: {
    method: 'GET',
    path: '/notification-contacts',
    summary: 'List notification contacts, ordered by name',
    tag: 'Notification contacts',
    description: 'All contacts of the team, not paginated.',
    examples: { data: [examples.contact] },
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
    tag: 'Notification contacts',
    description:
      '`type` determines the keys of `config` and cannot be changed later. Where sign-up is open, an e-mail address that does not belong to a confirmed member gets one letter, and alerts only after it has agreed.',
    examples: { bodies: examples.contactBodies, data: examples.contact },
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
    tag: 'Notification contacts',
    description: "Secrets are masked for a viewer's token.",
    examples: { data: examples.contact },
    access: 'read',
    status: 200,
    output: one(Contact),
    errors: ['notFound'],
  },
  updateContact: update.patch,
  replaceContact: update.put,
  deleteContact: {
    method: 'DELETE',
    path: PATH,
    summary: 'Delete a notification contact',
    tag: 'Notification contacts',
    description:
      'Detaches the contact from every monitor. Monitors without contacts alert all contacts of the team.',
    access: 'write',
    status: 204,
    errors: ['notFound'],
  },
} as const satisfies Record<string, PublicOperation>
