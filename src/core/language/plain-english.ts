/**
 * Rules as people read them in forms, by what the API says of them: where its sentence names fields of JSON, or shapes of
 * values, which a form does not show. A test looks for sentences of the API that need one.
 */
export const PLAIN_ENGLISH: Readonly<Record<string, string>> = {
  'a string': 'text',
  'an array': 'a list',
  'an object': 'several values',
  'cannot be null on a {type} monitor': 'is required for the type {type}',
  'cannot be empty on a {type} monitor': 'is required for the type {type}',
  'cannot be null: only a {types} monitor may have none': 'is required: only the type {types} has none',
  'has no occurrence within the next {years} years: it takes one that begins at or after local_start, {start}, is not past by COUNT or UNTIL, and is not among exceptions; got {rule}':
    'leads to no occurrence within the next {years} years: at least one must begin at or after {start}, before the rule ends, and not be left out; {rule}',
  'is false: a paused monitor is checked once it is resumed':
    'is off: a paused monitor is checked once it is resumed',
  'is false: a paused monitor is switched once it is resumed':
    'is off: a paused monitor is switched once it is resumed',
  'is required unless the type is {types}': 'is required for every type but {types}',
  'is required when the type is {type}': 'is required for the type {type}',
  'is required with from': 'is required together with the start',
  'is required with to': 'is required together with the end',
  'must be left out beside `method`, which names its service itself':
    'must be left out beside the method, which names its service itself',
  'must be left out without `method`, which it is sent to':
    'must be left out without a method, which it is sent to',
  'needs `topic`: the message must come back on it': 'needs a topic: the message must come back on it',
  'needs one topic: `topic` stands for several': 'needs one topic: that of this monitor stands for several',
  'reads a message, and needs `topic`': 'reads a message: give a topic as well',
  'must be `PTR` or the URL have a name: it has an address':
    'must be PTR, or the URL must have a name: it has an address',
  'must be a JSON object': 'cannot be read',
  'must be a string, got {got}': 'must be text, not {got}',
  'must be after from, and at most {days} days later, got {got}':
    'must be after the start, and at most {days} days later, not {got}',
  'must be after from, and at most {days} days, got {got}':
    'must be after the start, and at most {days} days later, not {got}',
  'must be after from, by at most {days} days, got {got}':
    'must be after the start, and at most {days} days later, not {got}',
  'must be after scheduled_for': 'must be after the start',
  'must be a text, a number, true, false or null': 'must be a value',
  'must be an address unless `transport` is `https`': 'must be an address: a URL is for the transport https',
  'must be an array of {min} to {max} values': 'must be {min} to {max} values, separated by commas',
  'must be an array, got {got}': 'must be a list, not {got}',
  'must be an integer, got {got}': 'must be a whole number, not {got}',
  'must be an object': 'cannot be read',
  'must be an object, got {got}': 'cannot be read: it is {got}',
  'must be another one unless `resolver` is an https URL':
    'needs the https URL of a name server, or must be another one',
  'must be at least enter, {enter}, got {got}': 'must be at least {enter}, at which it begins, not {got}',
  'must be at most enter, {enter}, got {got}': 'must be at most {enter}, at which it begins, not {got}',
  'must be empty when all_subjects is true, got {count}':
    'must be empty while everything is chosen, and has {count}',
  'must be empty when tags has an entry, got {count}': 'must be empty while tags are chosen, and has {count}',
  'must be more than after_minutes of the last step ({minutes}), got {got}':
    'must be more than the minutes of the last step ({minutes}), not {got}',
  'must be null for an incident: only maintenance is planned':
    'must be empty for an incident: only maintenance is planned',
  'must be null where the step has contacts': 'must be empty where the step has contacts',
  'must be null where {field} is not, got {got}': 'must be empty where {field} is not, and is {got}',
  'must be null, got {got}': 'must be empty, not {got}',
  'must be at most {max} ids such as 3,14, got {got}': 'can be at most {max}, not {got}',
  'must be the ID of a component of this page, got {got}': 'must be a component of this page, not {got}',
  'must be the ID of a contact of the team, got {got}': 'must be a contact of the team, not {got}',
  'must be the ID of a monitor of the team, got {got}': 'must be a monitor of the team, not {got}',
  'must be the ID of a maintenance window, got {got}': 'must be a maintenance window, not {got}',
  'must be the ID of a member of the team, got {got}': 'must be a member of the team, not {got}',
  'must be the ID of a schedule of the team, got {got}': 'must be a schedule of the team, not {got}',
  'must be the ID of a template of the team, or null, got {got}': 'must be a template of the team, not {got}',
  'must be the ID of a {kind} of the team, or null, got {got}': 'must be a {kind} of the team, not {got}',
  'must be the ID of a {kind} of this page, or null, got {got}': 'must be a {kind} of this page, not {got}',
  'must be the ID of an escalation policy of the team, got {got}':
    'must be an escalation policy of the team, not {got}',
  'must be IDs of {kind} of the team, got {got}': 'must be {kind} of the team, not {got}',
  'must be true or false, got {got}': 'must be on or off, not {got}',
  'must be {minutes} minutes to {days} days after from, got {got}':
    'must be {minutes} minutes to {days} days after the start, not {got}',
  'must have at least 1 entry unless remove has one, got 0': 'must have a tag to add, or one to remove',
  'must have at least 1 entry unless server_ids or site_ids has one or all_subjects is true, got 0':
    'must name a monitor, a server or a site, unless everything is chosen',
  'must have at least 1 entry unless server_ids or site_ids has one, got 0':
    'must name a monitor, a server or a site',
  'must leave an area on; set is_active to false to pause the site':
    'must leave an area on; pause the site to end all of its checks',
  'must name a monitor, unless a server, a site or a tag is chosen, got []':
    'must name a monitor, unless a server, a site or a tag is chosen',
  'must name a contact, unless the step has a schedule, got []':
    'must name a contact, unless the step has a schedule',
  null: 'nothing',
}

/** Rules that an empty field breaks: a form asks for its value. */
export const EMPTY: ReadonlySet<string> = new Set([
  'is required',
  'must not be empty',
  'is required unless the type is {types}',
  'is required when the type is {type}',
])
