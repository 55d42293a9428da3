// Reads a timeline page by page, posts, meets an error by its code, and waits for a new tweet. Prints a line of JSON for each.
package murmuration

import com.apollographql.apollo.ApolloClient
import com.apollographql.apollo.api.Adapter
import com.apollographql.apollo.api.CustomScalarAdapters
import com.apollographql.apollo.api.Optional
import com.apollographql.apollo.api.json.JsonReader
import com.apollographql.apollo.api.json.JsonWriter
import com.apollographql.apollo.api.json.buildJsonString
import com.apollographql.apollo.api.json.writeAny
import java.time.Instant
import java.util.UUID
import kotlin.system.exitProcess
import kotlinx.coroutines.flow.first

suspend fun main() {
  // The token is sent with each request, and with the upgrade to a WebSocket.
  val client = ApolloClient.Builder()
    .serverUrl(System.getenv("API_URL"))
    .addHttpHeader("authorization", "Bearer ${System.getenv("TOKEN")}")
    .build()

  val contents = mutableListOf<String>()
  var newest: String? = null
  var after: String? = null
  do {
    val page = client.query(TimelineQuery(first = 2, after = Optional.presentIfNotNull(after))).execute().dataOrThrow()
    val timeline = page.viewer?.timeline ?: error("the token must be of a user")
    contents += timeline.edges.map { it.node.shown.content }
    newest = newest ?: timeline.edges.firstOrNull()?.cursor
    after = timeline.pageInfo.endCursor
  } while (timeline.pageInfo.hasNextPage)
  tell("timeline", contents)

  val posted = client.mutation(PostMutation("Hello from Kotlin", UUID.randomUUID().toString())).execute().dataOrThrow()
  tell("posted", posted.createTweet?.tweet?.shown?.content)

  val liked = client.mutation(LikeMutation("nothing")).execute()
  tell("code", liked.errors?.firstOrNull()?.extensions?.get("code"))

  tell("listening", true)
  val event = client.subscription(NewTweetSubscription(Optional.presentIfNotNull(newest))).toFlow().first().dataOrThrow()
  tell("event", event.timelineTweet.node.shown.content)

  client.close()
  // OkHttp would keep its threads for another minute.
  exitProcess(0)
}

fun tell(name: String, what: Any?) = println(buildJsonString { writeAny(mapOf(name to what)) })

/** Apollo has no adapter for moments. */
object InstantAdapter : Adapter<Instant> {
  override fun fromJson(reader: JsonReader, customScalarAdapters: CustomScalarAdapters): Instant =
    Instant.parse(reader.nextString())

  override fun toJson(writer: JsonWriter, customScalarAdapters: CustomScalarAdapters, value: Instant) {
    writer.value(value.toString())
  }
}
