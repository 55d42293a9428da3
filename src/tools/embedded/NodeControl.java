import com.sun.tools.attach.VirtualMachine;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Does what `nodetool` does, for a Cassandra that has no port for it: attaches to the process, which only its user may, and asks it by JMX.
 *
 *   java NodeControl.java PID snapshot NAME KEYSPACE TABLE…
 *   java NodeControl.java PID clear NAME KEYSPACE
 *   java NodeControl.java PID import KEYSPACE (TABLE FOLDER)…
 *   java NodeControl.java PID flush KEYSPACE TABLE…
 *   java NodeControl.java PID compact KEYSPACE TABLE…
 *   java NodeControl.java PID repair KEYSPACE TABLE…
 */
class NodeControl {
  private static final String SERVICE = "org.apache.cassandra.db:type=StorageService";

  public static void main(String[] arguments) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(arguments[0]);
    String address = machine.startLocalManagementAgent();
    machine.detach();
    String[] rest = Arrays.copyOfRange(arguments, 3, arguments.length);
    try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address))) {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      switch (arguments[1]) {
        case "snapshot" -> takeSnapshot(server, arguments[2], arguments[3], Arrays.copyOfRange(rest, 1, rest.length));
        case "clear" -> clearSnapshot(server, arguments[2], rest);
        case "import" -> importTables(server, arguments[2], rest);
        case "flush" -> flushTables(server, arguments[2], rest);
        case "compact" -> compactTables(server, arguments[2], rest);
        case "repair" -> repairTables(server, arguments[2], rest);
        default -> throw new IllegalArgumentException(arguments[1]);
      }
    }
  }

  /**
   * Flushes the tables in their order, and links the files of each. A snapshot alone does not wait for a flush that is under way, and would lack its rows.
   */
  private static void takeSnapshot(MBeanServerConnection server, String name, String keyspace, String[] tables) throws Exception {
    flushTables(server, keyspace, tables);
    String[] entities = Arrays.stream(tables).map(table -> keyspace + "." + table).toArray(String[]::new);
    server.invoke(
        new ObjectName(SERVICE),
        "takeSnapshot",
        new Object[] {name, Map.of(), entities},
        new String[] {String.class.getName(), Map.class.getName(), String[].class.getName()});
  }

  /** Writes what is in memory to disk, and waits for what is being written. Without tables, this does so for all of the keyspace. */
  private static void flushTables(MBeanServerConnection server, String keyspace, String[] tables) throws Exception {
    server.invoke(
        new ObjectName(SERVICE),
        "forceKeyspaceFlush",
        new Object[] {keyspace, tables},
        new String[] {String.class.getName(), String[].class.getName()});
  }

  private static void clearSnapshot(MBeanServerConnection server, String name, String[] keyspaces) throws Exception {
    server.invoke(
        new ObjectName(SERVICE),
        "clearSnapshot",
        new Object[] {Map.of(), name, keyspaces},
        new String[] {Map.class.getName(), String.class.getName(), String[].class.getName()});
  }

  private static void importTables(MBeanServerConnection server, String keyspace, String[] pairs) throws Exception {
    String flag = boolean.class.getName();
    for (int index = 0; index < pairs.length; index += 2) {
      Object failed =
          server.invoke(
              new ObjectName("org.apache.cassandra.db:type=Tables,keyspace=" + keyspace + ",table=" + pairs[index]),
              "importNewSSTables",
              // Levels and marks of repair are of the former node. Files are checked, caches dropped, and the files copied, not moved.
              new Object[] {Set.of(pairs[index + 1]), true, true, true, true, true, true, true},
              new String[] {Set.class.getName(), flag, flag, flag, flag, flag, flag, flag});
      if (failed instanceof List<?> folders && !folders.isEmpty())
        throw new IllegalStateException("Cassandra must take in the files of " + folders + ", but refused them: see its log");
    }
  }

  /** Writes what is in memory to disk, and makes one file of all: deletions older than `gc_grace_seconds` are dropped. */
  private static void compactTables(MBeanServerConnection server, String keyspace, String[] tables) throws Exception {
    flushTables(server, keyspace, tables);
    server.invoke(
        new ObjectName(SERVICE),
        "forceKeyspaceCompaction",
        new Object[] {false, keyspace, tables},
        new String[] {boolean.class.getName(), String.class.getName(), String[].class.getName()});
  }

  /** Compares all rows of the tables that the node has with those of the other replicas, and gives each what it lacks. */
  private static void repairTables(MBeanServerConnection server, String keyspace, String[] tables) throws Exception {
    Object command =
        server.invoke(
            new ObjectName(SERVICE),
            "repairAsync",
            new Object[] {keyspace, Map.of("incremental", "false", "columnFamilies", String.join(",", tables))},
            new String[] {String.class.getName(), Map.class.getName()});
    while (true) {
      Object status =
          server.invoke(
              new ObjectName(SERVICE),
              "getParentRepairStatus",
              new Object[] {command},
              new String[] {int.class.getName()});
      if (status instanceof List<?> words && words.contains("COMPLETED")) return;
      if (status instanceof List<?> words && !words.contains("IN_PROGRESS"))
        throw new IllegalStateException("Cassandra must repair the tables, but: " + words);
      Thread.sleep(100);
    }
  }
}
