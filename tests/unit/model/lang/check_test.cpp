// What the checker writes into the tree of a model that is right.
#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "model/lang/frontend.h"
#include "model/lang/type_table.h"
#include "tests/support/files.h"

namespace txproof::lang {
namespace {

class NoFiles : public FileProvider {
 public:
  Answer read(const std::string&) override { return {}; }
};

// A model with what the tests look at, and the messages about it.
class Checked {
 public:
  explicit Checked(const std::string& text) {
    NoFiles files;
    model_ = load_text("test.tx", text, LoadOptions(), files, sources_, diagnostics_);
    diagnostics_.sort();
    for (const auto& d : diagnostics_.all()) messages_ += render(sources_, d) + "\n";
  }
  [[nodiscard]] const std::string& messages() const { return messages_; }
  [[nodiscard]] const Model& model() const { return *model_; }

  template <typename D>
  const D& decl(const std::string& name) const {
    return dynamic_cast<const D&>(*model_->names.at(name));
  }
  // The first statement of a function.
  [[nodiscard]] const Stmt& statement(const std::string& function, std::size_t at = 0) const {
    return *decl<FunctionDecl>(function).body.at(at);
  }
  [[nodiscard]] const Expr& expr(const std::string& function, std::size_t at = 0,
                                 std::size_t which = 0) const {
    return *statement(function, at).exprs.at(which);
  }

 private:
  SourceSet sources_;
  Diagnostics diagnostics_;
  std::unique_ptr<Model> model_;
  std::string messages_;
};

const VarDecl& field(const TypeDecl& type, const std::string& name) {
  for (const auto& f : type.fields) {
    if (f->name == name) return *f;
  }
  FAIL("no field " << name);
  return *type.fields.front();
}

// Everything below an expression has a type.
void require_types(const Expr& expr) {
  REQUIRE(expr.type != nullptr);
  CHECK(expr.type->kind != Type::Kind::error);
  for (const auto& arg : expr.args) {
    if (arg) require_types(*arg);
  }
}

void require_types(const std::vector<StmtPtr>& list) {
  for (const auto& stmt : list) {
    if (!stmt) continue;
    for (const auto& expr : stmt->exprs) {
      if (expr) require_types(*expr);
    }
    for (const auto& variable : stmt->vars) {
      REQUIRE(variable->type != nullptr);
      if (variable->init) require_types(*variable->init);
    }
    for (const auto& branch : stmt->branches) {
      if (branch.guard) require_types(*branch.guard);
      require_types(branch.body);
    }
    require_types(stmt->body);
  }
}

void require_types(const Model& model) {
  for (const auto& file : model.files) {
    for (const auto& decl : file->decls) {
      if (const auto* function = dynamic_cast<const FunctionDecl*>(decl.get())) {
        require_types(function->body);
      }
      if (const auto* type = dynamic_cast<const TypeDecl*>(decl.get())) {
        for (const auto& f : type->fields) {
          REQUIRE(f->type != nullptr);
          if (f->init) require_types(*f->init);
        }
        for (const auto& method : type->methods) require_types(method->body);
      }
      if (const auto* stack = dynamic_cast<const StackDecl*>(decl.get())) {
        for (const auto& instance : stack->instances) {
          if (instance->init) require_types(*instance->init);
        }
        for (const auto& run : stack->runs) {
          CHECK(run->thread != nullptr);
          for (const auto& arg : run->args) require_types(*arg);
        }
        for (const auto& check : stack->checks) CHECK(check->property != nullptr);
      }
    }
  }
}

const char* const kPackets = R"(
const MAX = 4, LIMIT = MAX * 2 - 1;
enum state { IDLE, BUSY = LIMIT, AFTER };
typedef int code_t in -128..LIMIT;
linear struct sk_buff { sock sk; int truesize in 1..16; }
object sock { param int sk_sndbuf in 1..8 = 2; int sk_wmem_alloc in 0..sk_sndbuf + 16 = 0; }
fn skb_set_owner_w(sk_buff &skb, sock sk) { skb.sk = sk; sk.sk_wmem_alloc += skb.truesize; }
fn skb_orphan(sk_buff &skb) {
  if (skb.sk != none) { skb.sk.sk_wmem_alloc -= skb.truesize; skb.sk = none; } }
fn kfree_skb(sk_buff skb) { skb_orphan(skb); destroy skb; }
fn consume_skb(sk_buff skb) { skb_orphan(skb); destroy skb; }
)";

std::string reference_model(const std::string& name) {
  const auto path = test::source_folder() / "tests/unit/model/lang/models" / name;
  return test::read_file(path);
}

TEST_CASE("constants and enumerators have values") {
  const Checked checked(kPackets);
  REQUIRE(checked.messages() == "");
  CHECK(checked.decl<VarDecl>("LIMIT").constant == 7);
  CHECK(checked.decl<Enumerator>("IDLE").value == 0);
  CHECK(checked.decl<Enumerator>("BUSY").value == 7);
  CHECK(checked.decl<Enumerator>("AFTER").value == 8);
  CHECK(checked.decl<Enumerator>("AFTER").owner == &checked.decl<TypeDecl>("state"));
  CHECK(type_name(*checked.decl<TypeDecl>("code_t").type) == "int in -128..LIMIT");
}

TEST_CASE("members of the receiver, of its interface, and of others") {
  const Checked checked(std::string(kPackets) + R"(
interface Qdisc { param int limit in 1..64 = 3; int qlen in 0..limit = 0; sk_buff gso_skb;
                  fn enqueue(sk_buff skb) : code_t; fn drain() { } }
object pfifo : Qdisc { fifo<sk_buff, limit> q;
  fn enqueue(sk_buff skb) : code_t { qlen += 1; q.push(skb); drain(); return this.q.len; } }
fn call(Qdisc q, pfifo p, sk_buff skb) : code_t { p.drain(); return q.enqueue(skb); }
)");
  REQUIRE(checked.messages() == "");
  const auto& pfifo = checked.decl<TypeDecl>("pfifo");
  const auto& qdisc = checked.decl<TypeDecl>("Qdisc");
  CHECK(pfifo.implements == &qdisc);
  const auto& body = pfifo.methods[0]->body;
  const Expr& qlen = *body[0]->exprs[0];
  CHECK(qlen.via_this);
  CHECK(qlen.decl == &field(qdisc, "qlen"));
  CHECK(field(qdisc, "qlen").is_assigned);
  CHECK_FALSE(field(qdisc, "limit").is_assigned);
  const Expr& push = *body[1]->exprs[0];
  CHECK(push.builtin == Builtin::push);
  CHECK(push.decl == nullptr);
  CHECK(push.args[0]->args[0]->decl == &field(pfifo, "q"));
  CHECK(field(pfifo, "q").is_assigned);
  CHECK(pfifo.methods[0]->parameters[0]->is_assigned);  // it was moved from
  const Expr& drain = *body[2]->exprs[0];
  CHECK(drain.decl == qdisc.methods[1].get());
  CHECK(drain.args[0]->via_this);
  const Expr& len = *body[3]->exprs[0];
  CHECK(len.builtin == Builtin::len);
  CHECK_FALSE(len.args[0]->via_this);

  const Expr& through_interface = checked.expr("call", 1);
  CHECK(through_interface.decl == qdisc.methods[0].get());
  CHECK(through_interface.args[0]->decl == qdisc.methods[0].get());
  CHECK(through_interface.args[0]->args[0]->decl ==
        checked.decl<FunctionDecl>("call").parameters[0].get());
  CHECK(type_name(*through_interface.type) == "int in -128..LIMIT");
}

TEST_CASE("domains of aggregates") {
  const Checked checked(std::string(kPackets) + R"(
object eth { fifo<sk_buff, 3> ring; sk_buff slot; fifo<int, 2> ages in 0..3; }
fn of_type() : int { return sum(s in sk_buff where s.sk == none) s.truesize; }
fn of_field() : int { return count(s in eth.ring); }
fn of_container(eth dev) : int { return max(a in dev.ages) a; }
fn of_object(eth dev) : int { return count(s in dev); }
fn of_range() : bool { return forall i in 0..3: i < 4; }
fn of_sockets() : bool { return exists k in sock: k.sk_wmem_alloc > 0; }
fn chosen(eth dev) : sk_buff { return take(s in dev.ring where s.truesize == 1); }
)");
  REQUIRE(checked.messages() == "");
  const auto aggregate = [&](const char* name) -> const Expr& { return checked.expr(name); };
  CHECK(aggregate("of_type").domain == Expr::Domain::of_type);
  CHECK(aggregate("of_type").args[0]->decl == &checked.decl<TypeDecl>("sk_buff"));
  CHECK(aggregate("of_type").binder->type->kind == Type::Kind::structure);
  CHECK(aggregate("of_field").domain == Expr::Domain::of_type_field);
  CHECK(aggregate("of_field").args[0]->decl == &field(checked.decl<TypeDecl>("eth"), "ring"));
  CHECK(aggregate("of_container").domain == Expr::Domain::of_value);
  CHECK(type_name(*aggregate("of_container").binder->type) == "int in 0..3");
  CHECK(aggregate("of_object").domain == Expr::Domain::of_value);
  CHECK(type_name(*aggregate("of_object").binder->type) == "sk_buff");
  CHECK(aggregate("of_range").domain == Expr::Domain::of_range);
  CHECK(aggregate("of_range").binder->type->kind == Type::Kind::integer);
  CHECK(aggregate("of_sockets").binder->type->kind == Type::Kind::object);
  CHECK(type_name(*aggregate("chosen").type) == "sk_buff");
  CHECK(aggregate("chosen").domain == Expr::Domain::not_aggregate);
}

TEST_CASE("calls: hooks, builtin functions, and what is written") {
  const Checked checked(R"(
linear struct skb_t { hook destructor in { f, g } = none; weak skb_t next; }
object dev { int n in 0..3 = 0; bool b = false; skb_t ring[2]; param int fixed in 0..3 = 0; }
fn f(skb_t &skb) { }
fn g(skb_t &skb) { }
fn set(bool &b) { b = true; }
fn run(skb_t &skb, dev d) {
  skb.destructor = f;
  skb.destructor(skb);
  set(d.b);
  d.n = min(d.n, d.fixed) + len(d.ring);
  skb.next = skb;
  skb = take d.ring[0];
}
)");
  REQUIRE(checked.messages() == "");
  CHECK(checked.expr("run", 0, 1).type->kind == Type::Kind::hook);
  CHECK(checked.expr("run", 0, 1).decl == &checked.decl<FunctionDecl>("f"));
  const Expr& hook = checked.expr("run", 1);
  CHECK(hook.decl == nullptr);
  CHECK(hook.builtin == Builtin::not_builtin);
  CHECK(hook.args[0]->type->kind == Type::Kind::hook);
  CHECK(hook.args[0]->type->hooks.size() == 2);
  const auto& dev = checked.decl<TypeDecl>("dev");
  CHECK(field(dev, "b").is_assigned);     // passed by &
  CHECK(field(dev, "ring").is_assigned);  // taken from
  const Expr& sum = checked.expr("run", 3, 1);
  CHECK(sum.args[0]->builtin == Builtin::min);
  CHECK(sum.args[1]->builtin == Builtin::len);
}

TEST_CASE("wrapping numbers stay wrapping among themselves and with constants") {
  const Checked checked(R"(
fn f(int n, u16 a, u16 b) : bool {
  u16 c = a - b;
  c = a + 1;
  n = a + n;
  int mod 8 i = 0;
  i += 1;
  c = u16(n);
  return a == n;
}
)");
  REQUIRE(checked.messages() == "");
  CHECK(type_name(*checked.statement("f", 0).vars[0]->init->type) == "u16");
  CHECK(type_name(*checked.expr("f", 1, 1).type) == "u16");
  CHECK(type_name(*checked.expr("f", 2, 1).type) == "int");
}

TEST_CASE("probes: packets as handles, ghost fields seen inside alone") {
  const Checked checked(std::string(kPackets) + R"(
object eth { bool busy = false; fn xmit(sk_buff &skb) : int { return 0; } }
property p {
  ghost sock sk_buff.origin = none;
  ghost int seen in 0..3 = 0;
  on entry skb_set_owner_w(skb, owner) { skb.origin = owner; }
  on return rc of eth.xmit(skb) when this.busy { seen = rc; }
  per call kfree_skb(skb) { ghost bool lost = false; on destroy sk_buff(s) { lost = s == skb; }
                            on return { assert !lost; } }
  always seen < 3 outside kfree_skb, eth.xmit;
  maximum count(s in sk_buff where s.origin != s.sk) <= 3;
}
)");
  REQUIRE(checked.messages() == "");
  const auto& property = checked.decl<PropertyDecl>("p");
  const auto& sk_buff = checked.decl<TypeDecl>("sk_buff");
  REQUIRE(sk_buff.ghost_fields.size() == 1);
  CHECK(sk_buff.ghost_fields[0]->role == VarDecl::Role::ghost_field);
  CHECK(sk_buff.ghost_fields[0]->owner == &sk_buff);
  CHECK(property.probes[0]->function == &checked.decl<FunctionDecl>("skb_set_owner_w"));
  CHECK(type_name(*property.probes[0]->parameters[0]->type) == "weak sk_buff");
  CHECK(property.probes[1]->function == checked.decl<TypeDecl>("eth").methods[0].get());
  CHECK(property.per_calls[0]->function == &checked.decl<FunctionDecl>("kfree_skb"));
  CHECK(property.per_calls[0]->probes[0]->structure == &sk_buff);
  CHECK(property.per_calls[0]->probes[1]->function == &checked.decl<FunctionDecl>("kfree_skb"));
  REQUIRE(property.claims[0]->outside_functions.size() == 2);
}

TEST_CASE("the bonding core of the notes") {
  const Checked checked(std::string(kPackets) + reference_model("bonding_core.tx") + R"(
stack bonding {
  param int N in 1..4 = 2;
  sock udp[N] { sk_sndbuf: N };
  eth eth0 { qdisc: pfifo { limit: N, dev: eth0 } };
  bond bond0 { slaves: [eth0] };
  run udp_sender(udp[i], bond0) for i in 0..N - 1;
  run net_tx_action(eth0.qdisc);
  run tx_complete(eth0);
  check bounded_in_flight;
}
)");
  REQUIRE(checked.messages() == "");
  require_types(checked.model());
  REQUIRE(checked.model().stacks.size() == 1);
  const StackDecl& stack = *checked.model().stacks[0];
  CHECK(type_name(*stack.instances[0]->type) == "sock[N]");
  const Expr& pfifo = *stack.instances[1]->init->args[0];
  CHECK(pfifo.kind == ExprKind::instance);
  CHECK(pfifo.decl == &checked.decl<TypeDecl>("pfifo"));
}

TEST_CASE("the lockless qdisc of the notes") {
  const Checked checked(std::string(kPackets) + reference_model("lockless.tx"));
  REQUIRE(checked.messages() == "");
  require_types(checked.model());
  const auto& lockless = checked.decl<TypeDecl>("lockless");
  CHECK(field(lockless, "seqlock").is_instance);
  CHECK(type_name(*field(lockless, "seqlock").type) == "spinlock");
  CHECK(field(lockless, "missed").is_assigned);
}

}  // namespace
}  // namespace txproof::lang
