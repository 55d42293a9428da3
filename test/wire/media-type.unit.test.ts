import { acceptedBy, EVENTS_TYPE, PARTS_TYPE } from '../../src/kit/graphql/media-type';

const JSON_TYPE = 'application/json; charset=utf-8';
const RESPONSE = 'application/graphql-response+json; charset=utf-8';

test.each([
  [undefined, JSON_TYPE, false],
  ['', JSON_TYPE, false],
  ['*/*', JSON_TYPE, false],
  ['application/*', JSON_TYPE, false],
  ['application/json', JSON_TYPE, false],
  ['APPLICATION/JSON; CHARSET="UTF-8"', JSON_TYPE, false],
  ['application/json;charset=utf-8', JSON_TYPE, false],
  ['application/graphql-response+json', RESPONSE, false],
  ['application/graphql-response+json, application/json', RESPONSE, false],
  ['application/json, application/graphql-response+json', JSON_TYPE, false],
  ['application/json;q=0.5, application/graphql-response+json;q=0.6', RESPONSE, false],
  ['application/json ; q=0.6 , application/graphql-response+json;q=0.5', JSON_TYPE, false],
  ['application/*;q=0.9, application/json;q=0.1', RESPONSE, false],
  ['*/*;q=0.1, application/graphql-response+json;q=0.2', RESPONSE, false],
  ['application/json;q=0, */*', RESPONSE, false],
  ['application/json;q=0.000, application/graphql-response+json', RESPONSE, false],
  ['text/html, application/json;q=0.9', JSON_TYPE, false],
  ['x/y;z="a, application/json;q=0, b", application/json', JSON_TYPE, false],
  ['multipart/mixed;deferSpec=20220824, application/json', JSON_TYPE, false],
  ['application/json, text/event-stream', JSON_TYPE, true],
  ['text/event-stream', null, true],
  ['Text/Event-Stream;q=0.1', null, true],
  ['text/event-stream; charset=utf-8', null, true],
  ['text/*', null, true],
  ['text/event-stream;q=0, */*', JSON_TYPE, false],
  ['text/event-stream;q=0', null, false],
  ['text/*;q=0, text/event-stream, application/json', JSON_TYPE, true],
  ['text/*, text/event-stream;q=0', null, false],
  ['application/*;q=0, */*', null, true],
  ['*/*;q=0', null, false],
  ['text/html', null, false],
  ['application/xml', null, false],
  ['application/json;q=0', null, false],
  ['application/json;version=2', null, false],
  ['application/jsonx', null, false],
  ['x-application/json', null, false],
  ['text/event-stream-x', null, false],
  ['multipart/mixed', null, false],
  ['json', null, false],
  [';;,,', null, false],
])('Accept: %s', (accept, json, events) => {
  expect(acceptedBy(accept)).toMatchObject({ json, stream: events ? EVENTS_TYPE : null });
});

test.each([
  // Apollo Client, Apollo Kotlin and Apollo iOS
  ['multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json', JSON_TYPE, PARTS_TYPE],
  [
    'multipart/mixed;subscriptionSpec=1.0, application/graphql-response+json, application/json',
    RESPONSE,
    PARTS_TYPE,
  ],
  ['multipart/mixed;boundary="graphql";subscriptionSpec="1.0",application/json', JSON_TYPE, PARTS_TYPE],
  ['Multipart/Mixed; SubscriptionSpec=1.0', null, PARTS_TYPE],
  ['multipart/mixed;boundary="-";subscriptionSpec=1.0,application/json', JSON_TYPE, PARTS_TYPE],
  [
    'multipart/mixed;deferSpec=20220824;subscriptionSpec=1.0;boundary=x, application/json',
    JSON_TYPE,
    PARTS_TYPE,
  ],
  ['multipart/mixed;subscriptionSpec=1.0, */*;q=0.1', JSON_TYPE, PARTS_TYPE],
  // urql
  ['application/json, text/event-stream, multipart/mixed', JSON_TYPE, EVENTS_TYPE],
  ['multipart/mixed;deferSpec=20220824, application/json', JSON_TYPE, null],
  ['multipart/mixed;subscriptionSpec=2.0, application/json', JSON_TYPE, null],
  ['multipart/mixed;subscriptionSpec=1.0;q=0, application/json', JSON_TYPE, null],
  ['text/event-stream, multipart/mixed;subscriptionSpec=1.0;q=0.5', null, EVENTS_TYPE],
  ['text/event-stream;q=0.5, multipart/mixed;subscriptionSpec=1.0', null, PARTS_TYPE],
  ['*/*', JSON_TYPE, null],
])('a stream of parts is asked for with its parameter: %s', (accept, json, stream) => {
  expect(acceptedBy(accept)).toMatchObject({ json, stream });
});

test.each([
  ['text/event-stream, application/json', true],
  ['application/json;q=0.5, text/event-stream', true],
  ['application/json, text/event-stream', false],
  ['text/event-stream;q=0.5, application/json', false],
])('a stream is preferred by quality, then by order: %s', (accept, prefersStream) => {
  expect(acceptedBy(accept)).toMatchObject({ prefersStream });
});

test.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', true],
  ['text/html, application/xhtml+xml, image/jxr, */*', true],
  ['text/html', true],
  ['application/json, text/html', false],
  ['text/html;q=0.5, application/json', false],
  ['*/*', false],
  ['text/html;q=0, */*', false],
])('a page is preferred by quality, then by order: %s', (accept, prefersPages) => {
  expect(acceptedBy(accept)).toMatchObject({ prefersPages });
});

test.each([
  ['application/json', true],
  ['application/json, text/plain, */*', true],
  ['application/json, application/graphql-response+json;q=0', true],
  ['application/json, application/graphql-response+json', false],
  ['application/json;q=0, application/graphql-response+json', false],
  ['*/*', false],
  [undefined, false],
])('a client from before the newer media type names the older one only: %s', (accept, readsJsonOnly) => {
  expect(acceptedBy(accept)).toMatchObject({ readsJsonOnly });
});
